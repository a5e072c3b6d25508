/**
 * Advisories on locked packages that do not reach Perigee. Each is accepted until a day (UTC), on which somebody looks
 * again: from then on it fails `npm run advisories`, and so does one that npm reports no more.
 */
export type Acceptance = { id: string; package: string; because: string; until: string }

export const acceptedAdvisories: readonly Acceptance[] = []
