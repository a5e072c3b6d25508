import type { CheckOutcome } from './check-all.ts'

/**
 * Outcomes as JUnit XML, which CI systems show: a suite for the project, a case for each monitor. Only members that the
 * schema of Jenkins' xunit plugin knows (junit-10.xsd) are in it.
 */
export function junitOf(
  project: string,
  outcomes: readonly CheckOutcome[],
  { at, tookMs }: { at: Date; tookMs: number },
): string {
  const count = (status: CheckOutcome['status']): number => outcomes.filter((each) => each.status === status).length
  const counts = `tests="${outcomes.length}" failures="${count('down')}" errors="${count('unknown')}"`
  const suite = `name="${xml(project)}" ${counts} skipped="${count('skipped')}" time="${seconds(tookMs)}"`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="perigee check" ${counts} time="${seconds(tookMs)}">`,
    `  <testsuite ${suite} timestamp="${at.toISOString().slice(0, 19)}">`,
    ...outcomes.map((outcome) => caseOf(project, outcome)),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

function caseOf(project: string, { check, status, tookMs, reason }: CheckOutcome): string {
  const name = `name="${xml(`${check.key}: ${check.name}`)}" classname="${xml(`${project}.monitors`)}"`
  const opening = `    <testcase ${name} time="${seconds(tookMs)}"`
  const why = xml(reason ?? '')
  const told = `message="${why}" type="${check.kind.name}">${xml(check.place)}`
  switch (status) {
    case 'up':
      return `${opening} />`
    case 'degraded':
      return `${opening}><system-out>degraded: ${why}</system-out></testcase>`
    case 'down':
      return `${opening}><failure ${told}</failure></testcase>`
    case 'unknown':
      return `${opening}><error ${told}</error></testcase>`
    case 'skipped':
      return `${opening}><skipped message="${why}" /></testcase>`
  }
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3)
}

/** XML 1.0 2.2: control characters but three cannot stand in a document, not even escaped. */
function xml(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
