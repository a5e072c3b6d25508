import { feedNames } from '#core/software/feed-roots.ts'

/** The part of the environment with which the real program reads no advisories of the world. */
export const feedsOff: Readonly<Record<string, string>> = Object.fromEntries(
  feedNames.map((name) => [`PERIGEE_FEED_${name.toUpperCase()}`, 'off']),
)
