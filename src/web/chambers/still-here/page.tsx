// To be written.
export default function StillHerePage() {
  return null;
}
