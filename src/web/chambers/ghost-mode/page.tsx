// Ghost Mode.
export default function GhostModePage() {
  return <title>Ghost Mode · Latebra</title>;
}
