import { type CommandDefinition, rowsOf } from './definition.ts'

/** The page of the manual of all commands, in the macros of man(7). */
export function manualOf(definitions: readonly CommandDefinition[], release: string): string {
  const lines = [
    `.TH PERIGEE 1 "" "Perigee ${release}" "User Commands"`,
    '.SH NAME',
    'perigee \\- uptime monitoring that starts with one command',
    '.SH SYNOPSIS',
    '.B perigee',
    '.I command',
    '.RI [ argument ]...',
    '.SH DESCRIPTION',
    'Perigee checks websites, APIs, certificates, domains, DNS, mail servers and more. It opens an incident when enough',
    'locations agree, sends alerts, and keeps the history in its own PostgreSQL.',
    '.SH COMMANDS',
    ...definitions.flatMap(commandLines),
    '.SH ENVIRONMENT',
    ...variables.flatMap(([name, text]) => ['.TP', `.B ${name}`, escaped(text)]),
    '.SH SEE ALSO',
    'The documentation is in the docs folder of the source, and in /usr/share/doc/perigee if the Debian package is installed.',
  ]
  return `${lines.join('\n')}\n`
}

const variables = [
  ['PERIGEE_URL', 'the service that commands talk to'],
  ['PERIGEE_TOKEN, PERIGEE_TOKEN_FILE', 'the API token for that service, or a file that holds it'],
  ['PERIGEE_DATA_DIR', 'the data folder of the service; commands also find a service on this machine by it'],
  ['NO_COLOR', 'turns colours off'],
  ['FORCE_COLOR', 'turns colours on even when the output is not a terminal'],
] as const

function commandLines(definition: CommandDefinition): string[] {
  const { synopsis, about, remarks = [] } = definition
  return [
    `.SS ${escaped(
      synopsis[0]
        ?.split(' ')
        .slice(0, 2)
        .join(' ')
        .replace(/ [[<].*/, '') ?? definition.name,
    )}`,
    '.nf',
    ...synopsis.map((line) => escaped(line.startsWith(' ') ? line : `perigee ${line}`)),
    '.fi',
    ...about.flatMap(paragraphLines),
    ...rowsOf(definition).flatMap(([label, help]) => ['.TP', `.B ${escaped(label)}`, escaped(help)]),
    ...remarks.flatMap(paragraphLines),
  ]
}

/** One that begins with a space keeps its lines. */
function paragraphLines(paragraph: string): string[] {
  if (!paragraph.startsWith(' ')) return ['.PP', escaped(paragraph)]
  return ['.PP', '.nf', ...paragraph.split('\n').map(escaped), '.fi']
}

/** Nothing that roff would take for a request, an escape or a typographic sign. */
function escaped(text: string): string {
  const plain = text.replaceAll('\\', '\\e').replaceAll('-', '\\-').replaceAll("'", '\\(aq').replaceAll('"', '\\(dq')
  return /^[.\\]/.test(plain) ? `\\&${plain}` : plain
}
