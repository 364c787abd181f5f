// To be written.
export default function LegacyPage() {
  return null;
}
