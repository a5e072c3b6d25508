import type { Hono } from 'hono'
import type { Admission } from '#operations/admission/admission.ts'
import type { Services } from '#operations/pipeline/services.ts'
import { readSigningKeySet } from '#operations/signing-keys.ts'
import type { HttpEnv } from './environment.ts'
import { toResponse } from './response.ts'

export type SigningKeySource = {
  services: Pick<Services, 'database' | 'secrets'>
  admission: Pick<Admission, 'within'>
}

/** The same for every reader; pages of other origins may check signatures too. */
const shared = { 'Cache-Control': 'public, max-age=300', 'Access-Control-Allow-Origin': '*' } as const

/** Where those who check what this installation has signed read its public keys. */
export function addSigningKeyRoutes(app: Hono<HttpEnv>, { services, admission }: SigningKeySource): void {
  app.get('/.well-known/perigee-signing-keys', (context) =>
    admission.within({ surface: 'pages', caller: context.get('addressGroup') }, async () =>
      toResponse({ status: 200, body: await readSigningKeySet(services), headers: shared }),
    ),
  )
}
