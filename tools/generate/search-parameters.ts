/**
 * The search object in OpenAPI. Version 3.1 cannot say that the whole query string is one JSON
 * object, so that form is told in words; its members are given as parameters, which the server
 * reads, too.
 */
import type { Json } from './json.ts'

export const SEARCH_TEXT = [
  'The search conditions are one JSON object, urlencoded, as the whole query string:',
  '`?{"From":0,"Count":20,"Sort":["-Name"],"Filter":{"Name":"web"}}`.',
  'Its members may also be given as parameters of their own.',
].join(' ')

const names = (name: string, description: string): Json => ({
  name,
  in: 'query',
  description,
  schema: { type: 'array', items: { type: 'string' } },
})

const whole = (name: string, description: string): Json => ({
  name,
  in: 'query',
  description,
  schema: { type: 'integer', minimum: 0 },
})

export const SEARCH_PARAMETERS: Readonly<Record<string, Json>> = {
  SearchFrom: whole('From', 'How many results to leave out at the beginning.'),
  SearchCount: whole(
    'Count',
    'How many results to answer with; 0 for as many as the server gives.',
  ),
  SearchSort: names('Sort', 'Field names to sort by, `-` before one that descends.'),
  SearchInclude: names('Include', 'Fields to answer with; `*` for all.'),
  SearchExclude: names('Exclude', 'Fields to leave out; it wins over Include.'),
  SearchFilter: {
    name: 'Filter',
    in: 'query',
    description: [
      'Conditions by field name. A string matches any part of the field, several words all of',
      'them; a list any one of its values; a number or boolean exactly.',
      'A name may end in <, <=, > or >=.',
    ].join(' '),
    content: { 'application/json': { schema: { type: 'object' } } },
  },
}

export const SEARCH_REFERENCES: readonly Json[] = Object.keys(SEARCH_PARAMETERS).map((key) => ({
  $ref: `#/components/parameters/${key}`,
}))
