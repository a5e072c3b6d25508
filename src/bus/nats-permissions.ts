import { partitionCount } from '#core/monitors/schedule.ts'
import {
  assignmentSubject,
  configurationSubject,
  countersignSubject,
  inboxPrefix,
  presenceSubject,
  resultsSubject,
  routeSubject,
  trialSubject,
  triedSubject,
} from './nats-subjects.ts'

/** Subjects in the broker's own notation: `*` stands for one token, `>` for all that follow. */
export type Permissions = { publish: string[]; subscribe: string[] }

/**
 * All that the credential of a location may do. A thief of it can neither read what is meant for other locations
 * (assignments, configurations, answers) nor send results or presence in their name, and has no way to the stream.
 */
export function locationPermissions(location: string): Permissions {
  return {
    // One by one: what a leaf node may send has to lie within one of the stream's subjects, which are by partition.
    publish: [
      ...Array.from({ length: partitionCount }, (_, partition) => resultsSubject(location, partition)),
      anyOf(presenceSubject(location, '')),
      configurationSubject(location),
      countersignSubject(location),
      routeSubject(location),
      anyOf(triedSubject(location, '')),
    ],
    subscribe: [
      anyOf(assignmentSubject(location, '')),
      anyOf(trialSubject(location, '')),
      `${inboxPrefix(location)}.>`,
    ],
  }
}

/** The subject with any last token. */
function anyOf(subject: string): string {
  return subject.replace(/[^.]*$/, '*')
}
