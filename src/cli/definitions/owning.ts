import type { CommandDefinition } from './definition.ts'

const forLists = 'print one JSON object instead of the table'

export const tokenDefinition = {
  name: 'token',
  summary: 'create, list and revoke API tokens',
  synopsis: [
    'token create --name <name> --scope <read|write> [--workspace <id or name>] [--expires <date>]',
    'token list [--workspace <id or name>] [--json]',
    'token revoke <id> [--workspace <id or name>]',
  ],
  about: [
    "Without --workspace, tokens belong to the owner's workspace. Write a date as 2027-01-31, which means the end of that " +
      'day in UTC, or as 2027-01-31T12:00:00Z. A token is shown only once, when you create it. All three commands work ' +
      'whether or not the service is running.',
  ],
  verbs: { create: null, list: null, revoke: null },
  options: {
    name: { type: 'string', value: '<name>', help: 'a name for the token', of: ['create'] },
    scope: {
      type: 'string',
      value: '<scope>',
      help: 'read or write',
      completed: ['read', 'write'],
      of: ['create'],
    },
    workspace: { type: 'string', value: '<id or name>', help: 'the workspace that the token belongs to' },
    expires: { type: 'string', value: '<date>', help: 'when the token expires', of: ['create'] },
    json: { type: 'boolean', help: forLists, of: ['list'] },
  },
} as const satisfies CommandDefinition

export const workspaceDefinition = {
  name: 'workspace',
  summary: 'list, create, revoke and restore workspaces, or change their plan',
  synopsis: [
    'workspace list [--json]',
    'workspace create <name> [--plan <plan>]',
    'workspace plan <id or name> <plan>',
    'workspace setup-link [<id or name>]',
    'workspace revoke <id>',
    'workspace restore <id>',
  ],
  about: [
    'create puts a new workspace on the plan "free" unless you give another. plan moves a workspace to another plan: a ' +
      'smaller plan raises intervals, pauses the newest monitors beyond its slots and keeps all data; a larger plan ' +
      'resumes them.',
    "setup-link prints a link. The person who opens it becomes an owner of the workspace, or of the owner's workspace if " +
      'you name none. A link works once, within 24 hours, and replaces the previous one.',
    "revoke ends the workspace's tokens and agents at once, stops its checks within seconds and keeps its members from " +
      'doing anything in it. Nothing is refunded. restore opens the workspace again and resumes those checks; tokens and ' +
      'agents stay revoked.',
    'All of these work whether or not the service is running.',
  ],
  verbs: { list: null, create: null, plan: null, 'setup-link': null, revoke: null, restore: null },
  options: {
    plan: { type: 'string', value: '<plan>', help: 'the plan of the new workspace', of: ['create'] },
    json: { type: 'boolean', help: forLists, of: ['list'] },
  },
} as const satisfies CommandDefinition

export const payDefinition = {
  name: 'pay',
  summary: 'pay for a monitor on another Perigee, without an account',
  synopsis: [
    'pay <service> <target> [--card <token> | --key <file> --token <token>] --budget <dollars>',
    '            [--set <member>=<value>]... [--json]',
    'pay <service> --credit <dollars> --api-key <file> [--card … | --key … --token …] --budget <dollars> [--json]',
  ],
  about: [
    'Creates a monitor on another Perigee, such as https://up.example.com. You need no account there: the payment opens ' +
      'a workspace, and pay prints its API key. Whatever the monitor does not cost stays in the workspace as credit. With ' +
      '--credit, pay buys credit for a workspace that already exists.',
  ],
  options: {
    budget: { type: 'string', value: '<dollars>', help: 'the most that may be paid, such as 0.50' },
    card: {
      type: 'string',
      value: '<token>',
      help: 'a shared payment token that was granted to the profile the service names',
    },
    key: {
      type: 'string',
      value: '<file>',
      help: 'pay with a token on a chain, from the account whose private key (0x…) is in the file',
      completed: 'file',
    },
    token: {
      type: 'string',
      value: '<token>',
      help: 'the token for --key: chain id, address and decimals, such as 8453:0x8335…2913:6',
    },
    set: {
      type: 'string',
      multiple: true,
      value: '<member>=<value>',
      help: `a field of the monitor, such as kind=ssl or 'locations=["eu"]'; can be repeated`,
    },
    credit: { type: 'string', value: '<dollars>', help: 'buy this much credit instead of a monitor, such as 5.00' },
    'api-key': {
      type: 'string',
      value: '<file>',
      help: 'a file with an API key of the workspace that gets the credit, write scope',
      completed: 'file',
    },
    json: { type: 'boolean', help: 'print one JSON object' },
  },
  remarks: [
    'Without --card and --key, pay shows the price and pays nothing.',
    'Exit codes: 0 done, 1 not done, 2 wrong arguments.',
  ],
} as const satisfies CommandDefinition
