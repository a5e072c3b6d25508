import type { Certificate } from './certificates.ts'
import type { Subject } from './robust-check.ts'
import { databaseSubjects } from './robust-databases.ts'
import { lineSubjects, otherSubjects } from './robust-lines.ts'
import { socketSubjects } from './robust-sockets.ts'
import { serviceSubjects, webSubjects } from './robust-web.ts'

/** Every kind that reads from a stream, once for each protocol and each source it reads. */
export function streamSubjects(good: Certificate): Subject[] {
  return [
    ...webSubjects(good),
    ...serviceSubjects(),
    ...lineSubjects(good),
    ...otherSubjects(good),
    ...databaseSubjects(good),
    ...socketSubjects(good),
  ]
}
