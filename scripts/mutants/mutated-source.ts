// Loaded into every process of a mutant's run: gives node the mutated text of one file, so that no file is written.
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { constants } from 'node:os'

const { PERIGEE_MUTANT_URL: mutated = '', PERIGEE_MUTANT_TEXT: text = '' } = process.env

if (mutated !== '')
  registerHooks({
    load: (url, context, next) =>
      url === mutated
        ? { format: 'module-typescript', source: readFileSync(text, 'utf8'), shortCircuit: true }
        : next(url, context),
  })

// A run that takes too long ends through the handlers of `exit`, with what it started.
process.on('SIGTERM', () => process.exit(128 + constants.signals.SIGTERM))
