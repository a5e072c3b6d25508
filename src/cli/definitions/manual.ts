import { type CommandDefinition, rowsOf } from './definition.ts'

/** The page of the manual of all commands, in the macros of man(7). */
export function manualOf(definitions: readonly CommandDefinition[], release: string): string {
  const lines = [
    `.TH PERIGEE 1 "" "Perigee ${release}" "User Commands"`,
    '.SH NAME',
    'perigee \\- uptime monitoring that one command starts',
    '.SH SYNOPSIS',
    '.B perigee',
    '.I command',
    '.RI [ argument ]...',
    '.SH DESCRIPTION',
    'Perigee checks websites, APIs, certificates, domains, DNS, mail servers and more, opens an incident when enough',
    'locations agree, alerts, and keeps the history in a PostgreSQL of its own.',
    '.SH COMMANDS',
    ...definitions.flatMap(commandLines),
    '.SH ENVIRONMENT',
    ...variables.flatMap(([name, text]) => ['.TP', `.B ${name}`, escaped(text)]),
    '.SH SEE ALSO',
    'The documentation is in the folder docs of the sources, and in /usr/share/doc/perigee where Debian\\(aqs packages are.',
  ]
  return `${lines.join('\n')}\n`
}

const variables = [
  ['PERIGEE_URL', 'the service that commands ask'],
  ['PERIGEE_TOKEN, PERIGEE_TOKEN_FILE', 'the API token for it, or the file that holds it'],
  ['PERIGEE_DATA_DIR', 'where the service keeps its data, and where commands find a service on this machine'],
  ['NO_COLOR', 'no colours where it is set'],
  ['FORCE_COLOR', 'colours also where the output is no terminal'],
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
