// To be written.
export default function OutboxPage() {
  return null;
}
