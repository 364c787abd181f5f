// Final Breath.
export default function FinalBreathPage() {
  return <title>Final Breath · Latebra</title>;
}
