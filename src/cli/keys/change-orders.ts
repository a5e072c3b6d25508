/** `shown` is the new key itself, or the file that has it. */
export type ChangeOrder = {
  id: string
  formerId: string
  /** Every process has the key as PERIGEE_NEXT_SECRET_KEY already, as this command has it. */
  isKnownAlready: boolean
  /** One process uses the database. */
  isAlone: boolean
  shown: { value: string } | { file: string }
}

/** What an operator has to do so that a key in the environment changes while processes run. */
export function changeOrders(order: ChangeOrder): string {
  const { id, formerId, isKnownAlready, isAlone } = order
  const steps = [
    ...(isKnownAlready || isAlone ? [] : [makeKnown(order)]),
    makeCurrent(order),
    `Wait until "perigee keys" says that key ${formerId} may be retired. The service encrypts everything with the new key in the background.`,
    `Run "perigee keys retire ${formerId}", take PERIGEE_FORMER_SECRET_KEYS away, and restart ${isAlone ? 'the process' : 'the processes one after the other'}.`,
  ]
  const head = isKnownAlready ? `Key ${id} is the one in PERIGEE_NEXT_SECRET_KEY.` : `Key ${id} was made for this.`
  return `${head} Nothing was changed yet.\n\n${steps.map((step, at) => `${at + 1}. ${step}\n`).join('\n')}`
}

/** A process that met a value of a key that it does not know could not open it. */
function makeKnown({ shown }: ChangeOrder): string {
  return `Give every process with a database the new key as a known one, and restart them one after the other:\n\n   ${setting('PERIGEE_NEXT_SECRET_KEY', shown)}`
}

function makeCurrent({ formerId, isAlone, shown }: ChangeOrder): string {
  const who = isAlone
    ? 'Restart the process with'
    : 'When all of them have been restarted, restart them one after the other with'
  const next = isAlone ? '' : ', and without PERIGEE_NEXT_SECRET_KEY'
  return [
    `${who} the new key as the current one, and the old one as a former one${next}:`,
    '',
    `   ${setting('PERIGEE_SECRET_KEY', shown)}`,
    `   PERIGEE_FORMER_SECRET_KEYS=<key ${formerId}, which PERIGEE_SECRET_KEY has now>`,
  ].join('\n')
}

function setting(name: string, shown: ChangeOrder['shown']): string {
  return 'value' in shown ? `${name}=${shown.value}` : `${name}_FILE=${shown.file}`
}
