/** The paths of all pages, for the walk over them and for the screenshots. */
export interface PagePlace {
  readonly name: string
  readonly path: string
}

export const allPages: readonly PagePlace[] = [{ name: 'overview', path: '/' }]
