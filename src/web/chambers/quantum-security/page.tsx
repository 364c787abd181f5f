// Quantum Security.
export default function QuantumSecurityPage() {
  return <title>Quantum Security · Latebra</title>;
}
