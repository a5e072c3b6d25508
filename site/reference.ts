// The API reference of the site, made of the same document and by the same means as the page that the service serves.
import { createOpenApi } from '../src/api-document/openapi.ts'
import { type ApiDocument, readDocument } from '../src/api-document/reference-document.ts'
import { contactKinds } from '../src/contacts/index.ts'
import { kinds } from '../src/kinds/index.ts'
import { operations } from '../src/operations/index.ts'
import { components } from '../src/operations/pipeline/named-schemas.ts'
import { advertisedOffers } from '../src/payments/offers.ts'

export type ReferenceSource = { json: string; document: ApiDocument }

/** The document of a service as `npm start` brings it up. */
export function readReference(): ReferenceSource {
  const written = createOpenApi({
    operations,
    components,
    kinds,
    contactKinds,
    publicUrl: 'http://127.0.0.1:3000',
    paymentOffers: advertisedOffers(null),
    locationCodes: ['local'],
  })
  const json = JSON.stringify(written)
  return { json, document: readDocument(json) }
}
