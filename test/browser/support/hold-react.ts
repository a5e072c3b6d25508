/**
 * A script for pages: `react.hold()` holds what React draws later than at once, until `react.goOn()`. React has itself
 * called by messages that it posts to itself.
 */
export const holdReact = `
  const Channel = MessageChannel
  window.react = { held: [], isHeld: false, hold: () => { react.isHeld = true } }
  react.goOn = () => {
    react.isHeld = false
    for (const draw of react.held.splice(0)) draw()
  }
  window.MessageChannel = function () {
    const { port1, port2 } = new Channel()
    const post = port2.postMessage.bind(port2)
    port2.postMessage = (message) => (react.isHeld ? react.held.push(() => port1.onmessage()) : post(message))
    return { port1, port2 }
  }
`
