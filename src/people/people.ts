import type { Hono } from 'hono'
import type { Person } from '#core/people/person.ts'
import type { ReadSession } from '#operations/pipeline/session-credential.ts'
import type { PeopleParts } from './people-parts.ts'
import { type PeopleEnv, type PeopleRoutesOptions, createPeopleRoutes } from './routes.ts'
import { addSamlRoutes } from './saml-routes.ts'
import { createReadPerson, createReadSession } from './session.ts'

/** Everything about people who sign in. */
export type People = {
  /** /auth/* and /saml/* */
  routes: Hono<PeopleEnv>
  readSession: ReadSession
  readPerson: (headers: Headers) => Promise<Person | null>
}

/** better-auth is loaded with the first request that needs it: an installation may have none for days. */
export function createPeople(parts: PeopleParts): People {
  let handler: Promise<(request: Request) => Promise<Response>> | null = null
  const load = async (): Promise<(request: Request) => Promise<Response>> =>
    (await import('./auth.ts')).createAuthHandler(parts)
  const readSession = createReadSession(parts)
  const options: PeopleRoutesOptions = {
    publicUrl: parts.publicUrl,
    signUp: parts.signUp,
    admission: parts.admission,
    now: parts.now,
    open: () =>
      (handler ??= load().catch((error: unknown) => {
        handler = null
        throw error
      })),
  }
  const routes = createPeopleRoutes(options)
  addSamlRoutes(routes, options)
  return { routes, readSession, readPerson: createReadPerson(readSession) }
}
