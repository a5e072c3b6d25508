// The servers that `bench -- kinds` checks, in a process of their own, whose CPU counts in no figure: the same that the
// robustness tests take for good ones.
import { testCertificates } from '../../test/support/test-certificates.ts'
import { datagramSubjects, nameSubjects } from '../../test/support/robust-datagrams.ts'
import { streamSubjects } from '../../test/support/robust-subjects.ts'

/** `ports` by the names of subjects. */
export type KindTarget = { rootPem: string; ports: Record<string, number> }

const { root, good } = testCertificates()
const ports: KindTarget['ports'] = {}
for (const subject of [...streamSubjects(good), ...nameSubjects, ...datagramSubjects])
  ports[subject.name] = await subject.good()
const target: KindTarget = { rootPem: root.pem, ports }
process.send?.(target)
