// A one-time link.
export default function SharePage() {
  return <title>A one-time link · Latebra</title>;
}
