// Answers that come line by line (application/x-ndjson). A line is asked for when the one before it was taken, so that a
// slow reader costs no memory, and nothing more is made for one that has left.

const HEADERS = {
  'Content-Type': 'application/x-ndjson',
  // nginx would gather the lines until there are many.
  'X-Accel-Buffering': 'no',
};

/**
 * Waits for the first line before it answers, so that what fails until then is answered with a status of its own.
 * @param check throws for a line that is not as the contract has it
 * @param carried what the stream of the answer is handed to before it is sent
 * @throws what the generator throws before its first line; what it throws later ends the connection
 */
export async function answerLines(
  lines: AsyncGenerator<unknown, void, undefined>,
  check: (line: unknown) => void,
  carried: (stream: ReadableStream<Uint8Array>) => ReadableStream<Uint8Array> = (stream) => stream,
): Promise<Response> {
  const encoder = new TextEncoder();
  let next: Promise<IteratorResult<unknown, void>> | null = Promise.resolve(await lines.next());
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await (next ?? lines.next());
        next = null;
        if (done) return controller.close();
        check(value);
        controller.enqueue(encoder.encode(`${JSON.stringify(value)}\n`));
      },
      async cancel() {
        await lines.return();
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(carried(stream), { headers: HEADERS });
}
