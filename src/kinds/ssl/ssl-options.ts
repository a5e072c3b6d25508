import { z } from 'zod'

const days = z.int().min(1).max(365)

export const sslOptions = z
  .strictObject({
    warn_days: days
      .optional()
      .describe(
        'Down this many days before the certificate expires. Default: a sixth of its lifetime, at most 14 days, by when automatic renewal should have happened.',
      ),
    chain_warn_days: days
      .optional()
      .describe(
        'Degraded this many days before another certificate of the chain expires, but for one that is its own issuer. Default: only that of the server is watched.',
      ),
    min_protocol: z
      .enum(['TLSv1.2', 'TLSv1.3'])
      .optional()
      .describe('Down when the server agrees to an older version of TLS. Default: older versions are not tried.'),
    weak_parameters: z
      .enum(['degraded', 'down'])
      .optional()
      .describe(
        'What a short key, a signature with MD5 or SHA-1, or a cipher without forward secrecy or authentication makes of the check. Default: nothing.',
      ),
    stapled_ocsp: z
      .enum(['checked', 'required'])
      .optional()
      .describe(
        'Down when the server sends word of OCSP by which its certificate is revoked, or that is not valid; with `required` also when it sends none. Default: not asked for.',
      ),
  })
  .describe('The certificate that a server shows: trusted, for this host and not about to expire.')
export type SslOptions = z.infer<typeof sslOptions>
