/**
 * Imported first by every process of tests: a warning of Node is a mistake of ours, and fails the test it comes in.
 * That something is experimental is none.
 */
process.on('warning', (warning) => {
  if (warning.name !== 'ExperimentalWarning') throw warning
})
