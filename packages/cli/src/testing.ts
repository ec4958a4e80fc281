/** A cloud inside a test, by the name of the published package: `kumoi/testing`. */
export * from '@kumoi/server/testing'
