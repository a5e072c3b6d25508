// For kysely-codegen, which asks for `typescript` without naming it: suites/package.json has it under another name.
import { registerHooks } from 'node:module'

registerHooks({
  resolve: (specifier, context, next) => next(specifier === 'typescript' ? 'perigee-tsc' : specifier, context),
})
