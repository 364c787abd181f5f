// To be written.
export default function LegacyScrollPage() {
  return null;
}
