// Compares a bill with the published schema of CycloneDX 1.6, which the project's own library for JavaScript brings.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const schemas = 'res/schema'
const files = { bill: 'bom-1.6', licences: 'spdx', signatures: 'jsf-0.82' } as const

/** Throws with the place and the reason where the bill is none. The suites have to be installed, as for every release. */
export async function assertBill(bill: object): Promise<void> {
  const [{ Ajv }, { default: formats }] = await Promise.all([import('ajv'), import('ajv-formats')])
  // The schema of CycloneDX has members of its own beside those of JSON Schema.
  const ajv = new Ajv({ strict: false, allErrors: true })
  formats.default(ajv)
  // Two formats for addresses in other alphabets, which our bills do not have.
  ajv.addFormat('iri-reference', /^\S*$/)
  ajv.addFormat('idn-email', /^\S+@\S+$/)
  ajv.addSchema(readSchema(files.licences)).addSchema(readSchema(files.signatures))
  const isValid = ajv.compile(readSchema(files.bill))
  if (!isValid(bill)) throw new Error(`A bill of materials is no CycloneDX 1.6: ${ajv.errorsText(isValid.errors)}`)
}

function readSchema(name: string): object {
  const library = createRequire(import.meta.url).resolve('@cyclonedx/cyclonedx-library/package.json')
  const text = readFileSync(library.replace('package.json', `${schemas}/${name}.SNAPSHOT.schema.json`), 'utf8')
  // The files name one another by the names under which they are published.
  return JSON.parse(text.replaceAll('.SNAPSHOT.schema.json', '.schema.json'))
}
