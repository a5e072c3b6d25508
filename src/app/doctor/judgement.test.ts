import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { DoctorVerdict, Found } from '#core/doctor-report.ts'
import { noPhases } from '#core/results/result.ts'
import { MissingMeans } from '#net/dial/own-trouble.ts'
import type { ServerHealth } from '#store/installation/server-health.ts'
import { judgeBroker } from './bus.ts'
import { judgeSkew } from './clock.ts'
import { judgeConfiguration } from './configuration.ts'
import { judgeRoom, judgeRoundTrip, judgeServer } from './database.ts'
import { judgeDisk } from './disk.ts'
import { judgeFolder, judgeSecretFile } from './files.ts'
import { judgeMessage, judgeSender, judgeServer as judgeMailServer } from './mail.ts'
import { judgeGroup, judgeMachine } from './memory.ts'
import { judgeBrowser } from './browser.ts'
import { judgeGit } from './git.ts'
import { judgePing } from './ping.ts'
import { judgeSchema } from './schema.ts'
import { judgeNode } from './service.ts'
import { judgeWays, type TriedWay } from './ways-out.ts'

/** `subject verdict` of each finding. What is not good says what to do. */
function verdictsOf(found: readonly Found[] | Found): string[] {
  return [found].flat().map(({ subject, verdict, advice }) => {
    if (verdict === 'warning' || verdict === 'bad') assert.ok((advice ?? '') !== '', `${subject} has no advice`)
    if (verdict === 'good') assert.equal(advice, null)
    return `${subject} ${verdict}`
  })
}

function one(found: Found): DoctorVerdict {
  verdictsOf(found)
  return found.verdict
}

const healthy: ServerHealth = {
  version: '18.1',
  role: 'perigee',
  isStandby: false,
  sizeBytes: 1_000_000,
  connections: { used: 10, allowed: 97 },
  longestTransaction: null,
  rights: { canCreate: true, foreignTables: 0 },
}

describe('the verdict on a server of PostgreSQL', () => {
  const open = { application: 'psql', state: 'idle in transaction' }
  const cases: [string, Partial<ServerHealth>, string | null][] = [
    ['that is well', {}, null],
    ['that is a standby', { isStandby: true }, 'changes bad'],
    ['with a role that may not make tables', { rights: { canCreate: false, foreignTables: 0 } }, 'rights bad'],
    ["with another role's tables", { rights: { canCreate: true, foreignTables: 3 } }, 'rights bad'],
    ['with 79 of 100 connections', { connections: { used: 79, allowed: 100 } }, null],
    ['with 80 of 100 connections', { connections: { used: 80, allowed: 100 } }, 'connections warning'],
    ['with 95 of 100 connections', { connections: { used: 95, allowed: 100 } }, 'connections bad'],
    ['with a transaction of 299 s', { longestTransaction: { seconds: 299, ...open } }, null],
    ['with one of 300 s', { longestTransaction: { seconds: 300, ...open } }, 'longest transaction warning'],
    ['with one of an hour', { longestTransaction: { seconds: 3_600, ...open } }, 'longest transaction bad'],
  ]
  for (const [what, part, wrong] of cases)
    it(`${what} names ${wrong ?? 'nothing'}`, () =>
      assert.deepEqual(
        verdictsOf(judgeServer({ ...healthy, ...part }, 'the database')).filter((each) => !each.endsWith(' good')),
        wrong === null ? [] : [wrong],
      ))

  it('tells a full disk as the status does', () => {
    assert.equal(one(judgeRoom(null)), 'good')
    assert.equal(judgeRoom('no space left.').found, 'The database cannot store anything: no space left.')
  })
})

describe('the verdict on a schema', () => {
  const same = { isUnfinished: false, applied: 76, ofRelease: 76, needed: 60, missing: [], changed: [] }
  const cases: [string, Parameters<typeof judgeSchema>[0], string[]][] = [
    ['of this release', same, ['release good', 'checksums good']],
    ['of no release', { ...same, applied: 0, missing: ['0001-spine.sql'] }, ['release warning']],
    ['of an older one', { ...same, applied: 75, missing: ['0076-x.sql'] }, ['release warning', 'checksums good']],
    ['of a newer one that fits', { ...same, applied: 80 }, ['release good', 'checksums good']],
    ['of a newer one', { ...same, applied: 80, needed: 77 }, ['release bad', 'checksums good']],
    ['of a restore that did not finish', { ...same, isUnfinished: true }, ['release bad']],
    ['of other files', { ...same, changed: ['0009-money.sql'] }, ['release good', 'checksums bad']],
  ]
  for (const [what, standing, verdicts] of cases)
    it(`${what} is ${verdicts.join(', ')}`, () => assert.deepEqual(verdictsOf(judgeSchema(standing)), verdicts))
})

function brokerWith(bytes: number, seconds: number, differing: string[] = []): Found[] {
  return judgeBroker(
    {
      version: '2.12',
      isTls: true,
      stream: {
        backlog: { stream: 'results', messages: seconds === 0 ? 0 : 7, bytes, oldestAt: new Date(-seconds * 1000) },
        maxBytes: 100,
        differing,
      },
    },
    0,
  )
}

describe('the verdict on a broker', () => {
  const cases: [string, Found[], string[]][] = [
    ['that is idle', brokerWith(0, 0), []],
    ['whose stream fills', brokerWith(70, 0), ['stream warning']],
    ['whose stream is full', brokerWith(95, 0), ['stream bad']],
    ['where results wait', brokerWith(1, 30), ['waiting results warning']],
    ['where they wait for a minute', brokerWith(1, 60), ['waiting results bad']],
    ['with another setting', brokerWith(0, 0, ['max_bytes']), ['settings warning']],
    ['without a stream', judgeBroker({ version: '2.12', isTls: true, stream: null }, 0), ['stream warning']],
    [
      'without TLS',
      judgeBroker({ version: '2.12', isTls: false, stream: 'no' }, 0),
      ['TLS warning', 'stream not_looked_at'],
    ],
  ]
  for (const [what, found, verdicts] of cases)
    it(`${what} names ${verdicts.join(', ') || 'nothing'}`, () =>
      assert.deepEqual(
        verdictsOf(found).filter((each) => !each.endsWith(' good')),
        verdicts,
      ))
})

function way(family: 'IPv4' | 'IPv6', problem: string | null): TriedWay {
  return { target: 'a:1', family, problem }
}

describe('the verdict on the machine', () => {
  const gigabyte = 1_000_000_000
  const space = { path: '/data', totalFiles: 100_000, freeFiles: 50_000 }
  const cases: [string, Found | Found[], string | string[]][] = [
    ['a clock that is right', judgeSkew({ skewMs: 20, errorMs: 1 }), 'database good'],
    [
      'a clock that is off by as much as the answer may be',
      judgeSkew({ skewMs: 1_400, errorMs: 500 }),
      'database good',
    ],
    ['a clock that is a second off', judgeSkew({ skewMs: -1_001, errorMs: 1 }), 'database warning'],
    ['a clock that is a minute off', judgeSkew({ skewMs: 60_001, errorMs: 1 }), 'database bad'],
    ['a quick round trip', judgeRoundTrip(0.4), 'round trip good'],
    ['a slow one', judgeRoundTrip(100), 'round trip warning'],
    ['a very slow one', judgeRoundTrip(1_000), 'round trip bad'],
    [
      'a disk with room',
      judgeDisk('disk', { ...space, freeBytes: 30 * gigabyte, totalBytes: 400 * gigabyte }),
      ['disk good', 'disk, files good'],
    ],
    [
      'a disk with little room',
      judgeDisk('disk', { ...space, freeBytes: 10 * gigabyte, totalBytes: 400 * gigabyte, totalFiles: 0 }),
      ['disk warning'],
    ],
    [
      'a disk that is full',
      judgeDisk('disk', { ...space, freeBytes: 1_000, totalBytes: 400 * gigabyte, freeFiles: 10 }),
      ['disk bad', 'disk, files bad'],
    ],
    ['memory', judgeMachine({ usedBytes: 84, limitBytes: 100 }), 'machine good'],
    ['memory that is short', judgeGroup({ usedBytes: 85, limitBytes: 100 }, true), 'limit warning'],
    ['memory that is used up', judgeGroup({ usedBytes: 95, limitBytes: 100 }, true), 'limit bad'],
    ['memory without a limit', judgeGroup(null, false), 'limit not_looked_at'],
    ['ways that work', judgeWays([way('IPv4', null), way('IPv6', null)]), ['IPv4 good', 'IPv6 good']],
    ['IPv4 alone', judgeWays([way('IPv4', null), way('IPv6', 'no route')]), ['IPv4 good', 'IPv6 warning']],
    ['one target of two', judgeWays([way('IPv4', null), way('IPv4', 'late')]), ['IPv4 warning', 'IPv6 not_looked_at']],
    ['no way', judgeWays([way('IPv4', 'late')]), ['IPv4 bad', 'IPv6 not_looked_at']],
    [
      'a target without address',
      judgeWays([{ target: 'x:1', family: null, problem: 'its name has no address' }]),
      ['x:1 warning', 'IPv4 not_looked_at', 'IPv6 not_looked_at'],
    ],
    ['Node that is new enough', judgeNode('24.18.0', '>=24.18'), 'Node good'],
    ['Node that is too old', judgeNode('24.9.0', '>=24.18'), 'Node warning'],
  ]
  for (const [what, found, verdicts] of cases)
    it(`${what} is ${[verdicts].flat().join(', ')}`, () => assert.deepEqual(verdictsOf(found), [verdicts].flat()))
})

describe('the verdict on ping', () => {
  it('tells the operator what to permit', () => {
    const missing = new MissingMeans(
      'Ping is not permitted at this location: its operator has to install fping',
      new Error(),
    )
    const found = judgePing('IPv4', missing)
    assert.equal(found.found, 'Ping is not permitted at this location.')
    assert.equal(found.advice, 'Install fping.')
  })

  it('takes a machine without IPv6 as one', () => {
    const failure = { phase: 'request', code: 'timed_out', message: 'Timed out' } as const
    const silent = { ok: false, latencyMs: 1, phases: noPhases, failure, sent: 1 } as const
    assert.equal(one(judgePing('IPv4', silent)), 'bad')
    assert.equal(one(judgePing('IPv6', silent)), 'not_looked_at')
  })
})

const verdicts = (found: Found[]): string[] => found.map(({ subject, verdict }) => `${subject} ${verdict}`)

describe('the verdict on git', () => {
  it('says what to install where repositories cannot be listed', () => {
    const missing = 'Repositories cannot be listed at this location: its operator has to install git 2.37 or newer'
    assert.deepEqual(judgeGit({ missing, hasBox: false }), [
      {
        subject: 'program',
        verdict: 'not_looked_at',
        found: 'Repositories cannot be listed at this location.',
        advice: 'Install git 2.37 or newer.',
      },
    ])
  })

  it('says whether git has a box', () => {
    assert.deepEqual(verdicts(judgeGit({ missing: null, hasBox: true })), ['program good', 'box good'])
    assert.deepEqual(verdicts(judgeGit({ missing: null, hasBox: false })), ['program good', 'box not_looked_at'])
  })
})

describe('the verdict on a browser', () => {
  it('says why pages cannot be visited', () => {
    const [found, ...others] = judgeBrowser({ missing: 'no Chromium was found', runsScripts: true })
    assert.equal(found?.verdict, 'not_looked_at')
    assert.equal(found.found, 'Pages cannot be visited with a browser here: no Chromium was found.')
    assert.deepEqual(others, [])
  })

  it('says whether scripts may run', () => {
    const told = [true, false].map((runsScripts) => judgeBrowser({ missing: null, runsScripts }))
    for (const found of told) assert.deepEqual(verdicts(found), ['pages good', 'scripts good'])
    assert.notEqual(told[0]?.[1]?.found, told[1]?.[1]?.found)
  })
})

describe('the verdict on files', () => {
  const file = { mode: 0o100600, owner: 1000, isReadable: true }
  const cases: [string, Found, DoctorVerdict][] = [
    ['a secret of one user', judgeSecretFile('key', '/etc/key', file), 'good'],
    ['a secret that all can read', judgeSecretFile('key', '/etc/key', { ...file, mode: 0o100644 }), 'warning'],
    ['a secret of a container', judgeSecretFile('key', '/run/secrets/key', { ...file, mode: 0o100444 }), 'good'],
    ['a secret that cannot be read', judgeSecretFile('key', '/etc/key', { ...file, isReadable: false }), 'bad'],
    ['a secret that is not there', judgeSecretFile('key', '/etc/key', null), 'bad'],
    ['the own folder', judgeFolder('/data', { ...file, mode: 0o40711 }, 1000), 'good'],
    ['the folder of another user', judgeFolder('/data', file, 0), 'warning'],
    ['a folder that all can change', judgeFolder('/data', { ...file, mode: 0o40777 }, 1000), 'bad'],
    ['no folder', judgeFolder('/data', null, 1000), 'not_looked_at'],
  ]
  for (const [what, found, verdict] of cases) it(`${what} is ${verdict}`, () => assert.equal(one(found), verdict))
})

describe('the verdict on mail', () => {
  it('shows the server and no password', () => {
    const found = judgeMailServer('smtps://me:hidden@mail.example.com:465', null)
    assert.equal(found.found, 'mail.example.com:465 takes connections with TLS, and the sign-in works.')
    assert.equal(one(judgeMailServer('smtp://mail.example.com', 'It is away.')), 'bad')
  })

  it('names a sender that no other server takes', () => {
    assert.equal(one(judgeSender('Perigee <perigee@localhost>')), 'warning')
    assert.equal(one(judgeSender('alerts@example.com')), 'good')
    assert.equal(one(judgeMessage('me@example.com', null)), 'good')
    assert.equal(one(judgeMessage('me@example.com', 'It refused.')), 'bad')
  })
})

describe('the verdict on the configuration', () => {
  const examined = { problems: [], settings: [], knownVariables: ['PERIGEE_PORT', 'PERIGEE_HOST'] }
  const withUnknown = (name: string): Found | undefined =>
    judgeConfiguration({ ...examined, config: { unknownVariables: [name] } }).find(
      ({ verdict }) => verdict === 'warning',
    )

  it('tells each problem', () => {
    const found = judgeConfiguration({ ...examined, problems: ['One.', 'Two.'], config: { unknownVariables: [] } })
    assert.deepEqual(verdictsOf(found), ['start bad', 'start bad', 'variables not_looked_at'])
  })

  it('names what an unknown variable may have been meant to be', () => {
    assert.equal(withUnknown('PERIGEE_PROT')?.advice, 'Did you mean PERIGEE_PORT? Rename it, or remove it.')
    assert.match(withUnknown('PERIGEE_HOST_FILE')?.advice ?? '', /^PERIGEE_HOST is no secret/)
    assert.match(withUnknown('PERIGEE_SOMETHING_ELSE')?.advice ?? '', /^Remove it/)
    assert.equal(withUnknown('PERIGEE_URL'), undefined)
  })
})
