/** For the configuration of Jest: `kumoi/jest-transform` (docs/testing.md). */
export * from '@kumoi/server/jest-transform'
