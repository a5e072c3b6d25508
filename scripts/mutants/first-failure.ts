// A reporter of node's test runner that ends the process with the first test that fails: one is enough.
import type { TestEvent } from 'node:test/reporters'

/** Tells a test that failed from a process that crashed. */
export const failedCode = 91

export default async function* firstFailure(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type !== 'test:fail' || data.todo !== undefined) continue
    yield `${data.name}\n${String(data.details.error.cause ?? data.details.error)}\n`
    process.exit(failedCode)
  }
}
