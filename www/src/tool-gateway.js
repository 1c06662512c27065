export const makeGateway = (room) => { room.textContent = 'gateway'; };
