import { type ConfiguredOwner, type OwnerOutcome, ensureOwner as ensure } from '#operations/people/owner.ts'
import type { Services } from '#operations/pipeline/services.ts'

type Owner = Omit<ConfiguredOwner, 'hashPassword'> & { password: string }

/** Makes the owner that the configuration names, with a password that signs in: its hash is better-auth's. */
export function ensureOwner(database: Services['database'], { password, ...owner }: Owner): Promise<OwnerOutcome> {
  const hashPassword = async (): Promise<string> => {
    const { hashPassword: hash } = await import('better-auth/crypto')
    return hash(password)
  }
  return ensure(database, { ...owner, hashPassword })
}
