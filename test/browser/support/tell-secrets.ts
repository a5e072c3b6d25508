// Preloaded into an agent (--import): tells by file descriptor 3 what it sends and is answered, a line of JSON each.
import { writeSync } from 'node:fs'

const ask = globalThis.fetch

globalThis.fetch = async (input, init) => {
  const { body } = init ?? {}
  if (typeof body === 'string' || body instanceof URLSearchParams) tell(String(body))
  const response = await ask(input, init)
  tell(await response.clone().text())
  return response
}

function tell(text: string): void {
  writeSync(3, `${JSON.stringify(text)}\n`)
}
