import assert from 'node:assert/strict'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { contactKinds } from '#contacts/index.ts'
import { kinds } from '#kinds/index.ts'
import { components } from '#operations/pipeline/named-schemas.ts'
import { operations } from '#operations/index.ts'
import { advertisedOffers } from '../../src/payments/offers.ts'
import { createOpenApi } from '#api-document/openapi.ts'
import { isObject, type JsonSchema } from '#api-document/openapi-schemas.ts'

/** The document of a service with these locations. */
export function openApiDocument(locationCodes: readonly string[] = ['local', 'boston']): JsonSchema {
  return createOpenApi({
    operations,
    components,
    kinds,
    contactKinds,
    publicUrl: 'http://127.0.0.1:3000',
    paymentOffers: advertisedOffers(null),
    locationCodes,
  })
}

/** The object at a path of member names; fails when it is no object. */
export function member(value: JsonSchema, ...path: string[]): JsonSchema {
  return path.reduce((inner, name) => {
    const next = inner[name]
    return isObject(next) ? next : assert.fail(`${path.join('.')} has no object ${name}`)
  }, value)
}

/** A validator of JSON Schema for one of the document's schemas. A discriminator is a hint and decides nothing. */
export function schemaValidator(document: JsonSchema, name: string): ValidateFunction {
  const ajv = new Ajv2020({ strictTypes: false, strictRequired: false, formats: { uuid } })
  ajv.addVocabulary(['components', 'discriminator'])
  return ajv.compile({
    $ref: `#/components/schemas/${name}`,
    components: { schemas: member(document, 'components', 'schemas') },
  })
}

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i
