/** A description of an API, in YAML and of version 3.0, with what its answers may hold in components. */
export const openapiExample = `openapi: 3.0.3
info: { title: Shop, version: "1" }
servers:
  - url: https://{region}.example.com/v1/
    variables:
      region: { default: eu, enum: [eu, us] }
security:
  - key: []
paths:
  /orders:
    parameters:
      - $ref: '#/components/parameters/Shop'
    get:
      operationId: listOrders
      summary: List orders
      tags: [orders]
      parameters:
        - { name: limit, in: query, required: true, schema: { type: integer, default: 20 } }
        - { name: page, in: query, schema: { type: integer } }
      responses:
        "200":
          content:
            application/json:
              schema: { type: array, items: { $ref: '#/components/schemas/Order' } }
        default: { description: An error. }
    post:
      responses: { "201": { description: Made. } }
  /orders/{id}:
    get:
      security: []
      parameters:
        - { name: id, in: path, required: true, example: 7, schema: { type: integer } }
      responses:
        200: { $ref: '#/components/responses/Order' }
  /carts/{id}:
    get:
      parameters:
        - { name: id, in: path, required: true, schema: { type: string } }
      responses: { 200: { description: A cart. } }
components:
  parameters:
    Shop: { name: X-Shop, in: header, required: true, schema: { type: string, enum: [north, south] } }
  responses:
    Order:
      content:
        application/json: { schema: { $ref: '#/components/schemas/Order' } }
  securitySchemes:
    key: { type: apiKey, in: header, name: X-Key }
  schemas:
    Order:
      type: object
      description: What a customer wants.
      required: [id, pin, total]
      properties:
        id: { type: integer, format: int64 }
        pin: { type: string, writeOnly: true }
        total: { type: number, minimum: 0, exclusiveMinimum: true }
        note: { type: string, nullable: true }
        parts: { type: array, items: { $ref: '#/components/schemas/Order' } }
`
