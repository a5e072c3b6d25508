// A rule of oxlint's (.oxlintrc.json): a file imports what its layer may (layers.ts), and goes across rooms by alias.
import type { RuleTester } from 'oxlint/plugins-dev'
import { exceptions, layers, ordinaryBuiltins } from './layers.ts'
import { type Place, placeOf } from './place.ts'

type Rule = Parameters<RuleTester['run']>[1]
type Context = Parameters<NonNullable<Rule['create']>>[0]
type Visitor = ReturnType<NonNullable<Rule['create']>>
type Import = Parameters<NonNullable<Visitor['ImportDeclaration']>>[0]
type Export = Parameters<NonNullable<Visitor['ExportNamedDeclaration']>>[0]

interface Wish {
  specifier: string
  isType: boolean
}

export const boundaries: Rule = { meta: { type: 'problem' }, create }

function create(context: Context): Visitor {
  const place = placeOf(context.filename)
  if (place === null) return {}
  const look = (node: Import | Export, source: Import['source'], isType: boolean): void => {
    const refusal = refuse(place, { specifier: source.value, isType })
    if (refusal !== null) context.report({ node, message: refusal })
  }
  return {
    ImportDeclaration: (node) => look(node, node.source, isTypeImport(node)),
    ExportNamedDeclaration: (node) => {
      if (node.source !== null) look(node, node.source, node.exportKind === 'type')
    },
    ExportAllDeclaration: (node) => {
      const refusal = refuse(place, { specifier: node.source.value, isType: node.exportKind === 'type' })
      if (refusal !== null) context.report({ node, message: refusal })
    },
    ImportExpression: (node) => {
      if (node.source.type !== 'Literal' || typeof node.source.value !== 'string') return
      const refusal = refuse(place, { specifier: node.source.value, isType: false })
      if (refusal !== null) context.report({ node, message: refusal })
    },
    TSImportType: (node) => {
      const refusal = refuse(place, { specifier: node.source.value, isType: true })
      if (refusal !== null) context.report({ node, message: refusal })
    },
  }
}

function isTypeImport({ importKind, specifiers }: Import): boolean {
  if (importKind === 'type') return true
  return (
    specifiers.length > 0 && specifiers.every((each) => each.type === 'ImportSpecifier' && each.importKind === 'type')
  )
}

/** Why a file may not import this; null where it may. */
function refuse({ file, layer: name }: Place, { specifier, isType }: Wish): string | null {
  const layer = layers[name]
  if (layer === undefined) return `src/${name} is no layer: scripts/lint/layers.ts lists them.`
  if (specifier.startsWith('./')) return null
  if (specifier.startsWith('.')) return `Import across rooms by alias (#${name}/…), never by "../".`
  if (exceptions.some((each) => each.file === file && each.imports.includes(specifier))) return null
  if (specifier.startsWith('#')) {
    const other = specifier.slice(1).split('/')[0] ?? ''
    if (other === name || layer.imports.includes(other)) return null
    if (layer.types?.includes(other) === true) return isType ? null : `${name} takes only types from ${other}.`
    return `${name} may import ${listed([...layer.imports, ...(layer.types ?? [])])}, not ${other}.`
  }
  if (specifier.startsWith('node:')) {
    return (layer.builtins ?? ordinaryBuiltins).includes(specifier) ? null : `${name} may not import ${specifier}.`
  }
  const packageName = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
  const packages = layer.packages ?? []
  return packages.includes(packageName)
    ? null
    : `${name} may import of packages ${listed(packages)}, not ${packageName}.`
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? 'nothing' : names.join(', ')
}
