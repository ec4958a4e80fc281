/**
 * Says in one line which Node is needed, instead of the stack that an old one fails with. It is plain JavaScript in
 * CommonJS, which every Node runs.
 */
exports.needNode = ({ engines }) => {
  const wanted = engines.node.replace('>=', '')
  const [major, minor] = process.versions.node.split('.').map(Number)
  const [wantedMajor, wantedMinor] = wanted.split('.').map(Number)
  if (major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)) return
  process.stderr.write(
    `kumoi: This needs Node ${wanted} or newer; this one is ${process.versions.node}.\n`,
  )
  process.exit(1)
}
