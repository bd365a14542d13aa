/** Sockets that can be ended all at once. A fault of one ends it alone. */
export function keepSockets() {
  const sockets = new Set()
  return {
    keep(socket) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
      socket.on('close', () => sockets.delete(socket))
      return socket
    },
    each: (act) => sockets.forEach(act),
    endAll() {
      for (const socket of sockets) socket.destroy()
    },
  }
}
