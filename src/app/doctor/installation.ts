import { bad, type Found, good, notLookedAt, type DoctorVerdict, judged, warning } from '#core/doctor-report.ts'
import { spanInWords } from '#core/language/in-words.ts'
import { type ClusterPart, type ClusterStatus, clusterTroublesByPart } from '#core/operator-status.ts'
import { oldAfterMs } from '#core/software/comparison.ts'
import type { FeedStatus } from '#core/software/feed-status.ts'
import type { DoctorCheck } from './doctor-check.ts'

export const engines = ofCluster('engines', judgeEngines)
export const locations = ofCluster('locations', judgeLocations)
export const work = ofCluster('work', judgeWork)
export const feeds = ofCluster('feeds', judgeFeeds)

/** What the running processes have written down, in the words of `perigee status`. */
function ofCluster(name: string, judge: (status: ClusterStatus) => Found[]): DoctorCheck {
  return {
    name,
    look: async ({ cluster }) => {
      const status = await cluster()
      return status === null
        ? [notLookedAt('all', 'No process answers, and the database cannot be read.')]
        : judge(status)
    },
  }
}

type Judged = { verdict: Exclude<DoctorVerdict, 'good' | 'not_looked_at'>; advice: string }

function troubles(status: ClusterStatus, part: ClusterPart, { verdict, advice }: Judged): Found[] {
  const tell = verdict === 'bad' ? bad : warning
  return clusterTroublesByPart(status)[part].map((trouble) => tell('trouble', trouble, advice))
}

export function judgeEngines(status: ClusterStatus): Found[] {
  return [
    ...troubles(status, 'engines', {
      verdict: 'bad',
      advice: 'Start a process with the role engine ("perigee start" or "perigee engine"), and see its log.',
    }),
    ...status.engines.map(({ name, is_alive: isAlive, seen_seconds: seen, up_seconds: up }) =>
      isAlive
        ? good(name, `The engine is running, for ${spanInWords(up)}.`)
        : warning(
            name,
            `The engine was seen ${spanInWords(seen)} ago for the last time.`,
            'Start it again, unless you stopped it for good: other engines have taken its monitors.',
          ),
    ),
  ]
}

export function judgeLocations(status: ClusterStatus): Found[] {
  return [
    ...troubles(status, 'locations', {
      verdict: 'bad',
      advice: 'See whether a prober of the location runs, and whether it has a network and reaches the broker.',
    }),
    // Those that monitors miss are told above.
    ...status.locations
      .filter(({ online, monitors }) => online || monitors === 0)
      .map(({ code, online, seen_seconds: seen, monitors }) => {
        if (online)
          return good(
            code,
            `The location has a prober, and ${monitors === 1 ? '1 monitor uses' : `${monitors} monitors use`} it.`,
          )
        const since = seen === null ? 'has never had a prober' : `has had no prober for ${spanInWords(seen)}`
        return good(code, `The location ${since}, and no monitor uses it.`)
      }),
  ]
}

export function judgeWork(status: ClusterStatus): Found[] {
  const { monitors, deliveries, jobs } = status
  const found = [
    ...troubles(status, 'work', {
      verdict: 'bad',
      advice: 'See whether processes with the roles engine and jobs run, and what their logs say.',
    }),
    ...troubles(status, 'checks', {
      verdict: 'warning',
      advice:
        'Look at these monitors: their targets send more than a check can read. They are tried again by themselves.',
    }),
  ]
  if (found.length > 0) return found
  const waiting = `${deliveries.pending} alerts and ${jobs.waiting} jobs wait`
  return [good('all', `${monitors.enabled} monitors are checked on time; ${waiting}, and none is overdue.`)]
}

export function judgeFeeds({ feeds: all }: ClusterStatus): Found[] {
  if (all.length === 0)
    return [notLookedAt('all', 'No feed of advisories is read: there is nothing to compare, or they are switched off.')]
  return all.map(judgeFeed)
}

function judgeFeed({ name, read_seconds: age, error }: FeedStatus): Found {
  const why = error === null ? '' : ` The last reading failed: ${error.replace(/\.$/, '')}.`
  const advice = 'See whether this machine reaches the feed (PERIGEE_FEED_), or switch it off.'
  if (age === null)
    return judged(name, error === null ? 'good' : 'warning', {
      found:
        error === null
          ? 'Its first reading is under way, which may take an hour.'
          : `It was never read completely.${why}`,
      advice,
    })
  const isOld = age > oldAfterMs / 1000
  const found = isOld ? `It has not been read for ${spanInWords(age)}.` : `It was read ${spanInWords(age)} ago.`
  return judged(name, isOld ? 'warning' : 'good', { found: `${found}${why}`, advice })
}
