import { z } from 'zod'
import { authorizationFor, firstChallenge } from '../../test/support/payment-client.ts'
import { password, publicUrl } from './company.ts'

/** A person who is signed in and asks as the console does. */
export type Person = {
  /** Below /api/v1, in the workspace. Answers with the id of what was made or read, "" where there is none. */
  call: (method: string, path: string, body?: unknown) => Promise<string>
  /** The same with the whole answer, and payment by a test card where it is asked for. */
  ask: (method: string, path: string, body?: unknown) => Promise<unknown>
}

/** Signs the person in, if need be. */
export type As = (email: string) => Promise<Person>

const waitMs = 20_000
const idSchema = z.object({ data: z.object({ id: z.string() }) })

export type SigningIn = { url: string; workspaceId: string; email: string; address: string; userAgent: string }

export async function signIn({ url, workspaceId, email, address, userAgent }: SigningIn): Promise<Person> {
  const always = {
    Origin: publicUrl,
    'Content-Type': 'application/json',
    'X-Forwarded-For': address,
    'User-Agent': userAgent,
  }
  const send = async (path: string, sent: RequestInit): Promise<Response> =>
    fetch(url + path, { ...sent, signal: AbortSignal.timeout(waitMs) })
  const body = JSON.stringify({ email, password })
  const signedIn = await send('/auth/sign-in/email', { method: 'POST', headers: always, body })
  if (!signedIn.ok) throw new Error(`${email} cannot sign in: ${signedIn.status} ${await signedIn.text()}`)
  const cookies = signedIn.headers.getSetCookie().map((cookie) => cookie.split(';')[0])
  const headers = { ...always, Cookie: cookies.join('; '), 'X-Perigee-Workspace': workspaceId }
  const ask: Person['ask'] = async (method, path, asked) => {
    const sent = { method, headers, ...(asked === undefined ? {} : { body: JSON.stringify(asked) }) }
    const first = await send(`/api/v1${path}`, sent)
    const answer =
      first.status === 402
        ? await send(`/api/v1${path}`, {
            ...sent,
            headers: { ...headers, Authorization: authorizationFor(firstChallenge(first)) },
          })
        : first
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return text === '' ? {} : JSON.parse(text)
  }
  return {
    ask,
    call: async (method, path, asked) => idSchema.safeParse(await ask(method, path, asked)).data?.data.id ?? '',
  }
}
