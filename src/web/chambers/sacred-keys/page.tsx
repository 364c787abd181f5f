// Sacred Keys.
export default function SacredKeysPage() {
  return <title>Sacred Keys · Latebra</title>;
}
