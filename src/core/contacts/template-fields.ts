// The fields that templates of messages may name: the one list from which the check, the preview, the console and
// docs/contacts/templates.md come.

type FieldType = 'text' | 'number' | 'time' | 'address' | 'list'
type Field = { name: string; type: FieldType; about: string }

export const templateFields = [
  {
    name: 'event',
    type: 'text',
    about:
      'What happened: `down`, `up`, `domain_expiring`, `certificate_expiring`, `vulnerability_found`, `end_of_life_reached`, `exposure_reminder`, `exposure_ended`, `slo_burning`, `slo_recovered`, `maintenance_started`, `maintenance_ended` or `test`; others may follow.',
  },
  { name: 'at', type: 'time', about: 'When it happened.' },
  { name: 'monitor.name', type: 'text', about: 'The name of the monitor.' },
  { name: 'monitor.kind', type: 'text', about: 'Its kind, such as `http`.' },
  { name: 'monitor.url', type: 'address', about: 'What it watches, without user, password, query and fragment.' },
  { name: 'monitor.status', type: 'text', about: 'Its status, such as `down`.' },
  { name: 'monitor.notes', type: 'text', about: 'The beginning of its notes; empty of what is over.' },
  { name: 'monitor.runbook_url', type: 'address', about: 'Its runbook; empty of what is over.' },
  { name: 'incident.title', type: 'text', about: 'The title of the incident.' },
  { name: 'incident.cause', type: 'text', about: 'Why it began.' },
  { name: 'incident.started_at', type: 'time', about: 'When it began.' },
  { name: 'incident.resolved_at', type: 'time', about: 'When it ended; empty while it lasts.' },
  { name: 'incident.duration', type: 'text', about: 'How long it lasted, such as `2 h 5 min`; empty while it lasts.' },
  { name: 'children.total', type: 'number', about: 'How many monitors depend on the one that is down.' },
  { name: 'children.names', type: 'list', about: 'Their names, at most 20.' },
  { name: 'result.location', type: 'text', about: 'The code of the location that saw it.' },
  { name: 'result.status_code', type: 'number', about: 'What the target answered there, such as `503`.' },
  { name: 'result.latency_ms', type: 'number', about: 'How long the check took there, in milliseconds.' },
  { name: 'result.error', type: 'text', about: 'What was wrong there.' },
  { name: 'expires_at', type: 'time', about: 'When the domain or the certificate ends.' },
  { name: 'days_left', type: 'number', about: 'The days until then; negative once it is over.' },
  { name: 'findings', type: 'list', about: 'The most severe of the new findings, at most 20.' },
  { name: 'total', type: 'number', about: 'The number of all new findings.' },
  { name: 'slo.name', type: 'text', about: 'The name of the service level objective.' },
  { name: 'slo.objective', type: 'number', about: 'Its objective in percent, such as `99.9`.' },
  { name: 'slo.attained', type: 'number', about: 'What was attained in its window, in percent.' },
  {
    name: 'slo.budget_left_percent',
    type: 'number',
    about: 'What is left of its error budget; negative once it is used up.',
  },
  { name: 'slo.burn_rate', type: 'number', about: 'How many times as fast as it may the budget burned lately.' },
  { name: 'maintenance.name', type: 'text', about: 'The name of the planned maintenance.' },
  { name: 'maintenance.starts_at', type: 'time', about: 'When it begins.' },
  { name: 'maintenance.ends_at', type: 'time', about: 'When it ends.' },
  { name: 'maintenance.total', type: 'number', about: 'How many monitors it covers.' },
  { name: 'maintenance.names', type: 'list', about: 'Their names, at most 20.' },
  {
    name: 'link',
    type: 'address',
    about: 'The page of the incident, of the monitor, of the objective or of planned maintenance.',
  },
] as const satisfies readonly Field[]

/** The members of each of `findings`. */
export const findingFields = [
  { name: 'vuln_id', type: 'text', about: 'Its id, such as `CVE-2026-0001`.' },
  { name: 'kind', type: 'text', about: '`vulnerability` or `end_of_life`.' },
  { name: 'software_name', type: 'text', about: 'The software.' },
  { name: 'version', type: 'text', about: 'The version that runs.' },
  { name: 'severity', type: 'text', about: '`low`, `medium`, `high` or `critical`; empty where it is unrated.' },
  { name: 'score', type: 'number', about: '0 to 10.' },
  { name: 'summary', type: 'text', about: 'What it is, in a line.' },
  { name: 'fixed_in', type: 'text', about: 'The version that fixes it.' },
  { name: 'fix_version', type: 'text', about: 'The version to change to.' },
  { name: 'exploited_on', type: 'text', about: 'The day since which it is known to be exploited.' },
  { name: 'url', type: 'address', about: 'Where to read about it.' },
] as const satisfies readonly Field[]

export type TemplateFieldName = (typeof templateFields)[number]['name']
export type FindingFieldName = (typeof findingFields)[number]['name']

/** One segment of a path as a template has it: a name, a number, or what another path yields. */
type Segment = string | number | readonly unknown[]

/** The path as text where no field is there, else null. What is known only when it is rendered counts as there. */
export function unknownField(path: readonly Segment[]): string | null {
  const [root, ...rest] = path
  if (typeof root !== 'string') return null
  const isKnown = root === 'findings' ? isOfFindings(rest) : isOfField(root, rest)
  return isKnown ? null : path.filter((segment) => typeof segment !== 'object').join('.')
}

const types: ReadonlyMap<string, FieldType> = new Map(templateFields.map(({ name, type }) => [name, type]))
const rooms: ReadonlySet<string> = new Set(
  templateFields.flatMap(({ name }) => (name.includes('.') ? [name.slice(0, name.indexOf('.'))] : [])),
)
const members: ReadonlySet<string> = new Set(findingFields.map(({ name }) => name))

function isOfField(root: string, rest: readonly Segment[]): boolean {
  if (types.has(root)) return isOfValue(rest)
  const [member, ...after] = rest
  // A room alone is no value, and is there also where nothing is in it.
  if (!rooms.has(root) || member === undefined) return false
  if (typeof member !== 'string') return true
  const name = `${root}.${member}`
  return types.get(name) === 'list' ? isOfList(after) : types.has(name) && isOfValue(after)
}

/** A list of texts. */
function isOfList([place, ...after]: readonly Segment[]): boolean {
  if (place === undefined) return true
  if (place === 'size') return after.length === 0
  return (typeof place !== 'string' || place === 'first' || place === 'last') && isOfValue(after)
}

function isOfFindings([place, member, ...after]: readonly Segment[]): boolean {
  if (place === undefined || place === 'size') return true
  if (typeof place === 'string' && place !== 'first' && place !== 'last') return false
  return typeof member !== 'string' || (members.has(member) && isOfValue(after))
}

/** Liquid knows the length of a text. */
function isOfValue(rest: readonly Segment[]): boolean {
  return rest.length === 0 || (rest.length === 1 && (rest[0] === 'size' || typeof rest[0] !== 'string'))
}
