#!/usr/bin/env node
// Starts lifeguard-mcp.jar, which lies beside this folder, with the Java of JAVA_HOME or of the PATH.
'use strict';

const { spawn } = require('node:child_process');
const path = require('node:path');

const home = process.env.JAVA_HOME;
const java = home ? path.join(home, 'bin', 'java') : 'java';
const jar = path.join(__dirname, '..', 'lifeguard-mcp.jar');
const server = spawn(java, ['-jar', jar, ...process.argv.slice(2)], { stdio: 'inherit' });

server.on('error', (error) => {
  console.error(`lifeguard-mcp needs Java 17 or newer, and '${java}' does not start (${error.code}).`
    + ' Install a JDK, or set JAVA_HOME to the home of one.');
  process.exitCode = 2;
});
server.on('exit', (code, signal) => {
  process.exitCode = signal ? 1 : code;
});
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => server.kill(signal));
}
