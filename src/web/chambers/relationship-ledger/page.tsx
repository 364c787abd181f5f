// Relationship Ledger.
export default function RelationshipLedgerPage() {
  return <title>Relationship Ledger · Latebra</title>;
}
