/**
 * Addresses from which advisories are read: roots without a final slash, to which the public path of each feed is
 * appended. Null for a feed that is not read.
 */
export type FeedRoots = Readonly<Record<(typeof feedNames)[number], string | null>>

export const feedNames = ['osv', 'nvd', 'cve', 'exploited', 'endoflife'] as const

export const publicFeeds = {
  osv: 'https://osv-vulnerabilities.storage.googleapis.com',
  nvd: 'https://services.nvd.nist.gov',
  cve: 'https://github.com/CVEProject/cvelistV5',
  exploited: 'https://www.cisa.gov',
  endoflife: 'https://endoflife.date',
} as const satisfies FeedRoots
