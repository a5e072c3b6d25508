import type { Answered } from './described.ts'

export const json = 'application/json'
export const form = 'application/x-www-form-urlencoded'

export function refused(description: string): Answered {
  return { description, content: { [json]: ['AgentRefusal'] } }
}

export const general = {
  429: refused('Too many calls or registrations; `Retry-After` says how many seconds to wait.'),
  503: refused('The service has more to do than it can.'),
  default: refused('Something went wrong on the server.'),
} as const

export const tooLarge = refused('The body has more than 64 kB.')
