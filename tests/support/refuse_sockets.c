/* Loaded before everything else in a test: a program that asks for a network socket is ended. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

int socket(int domain, int type, int protocol) {
  (void)type;
  (void)protocol;
  fprintf(stderr, "a socket of domain %d was asked for\n", domain);
  abort();
}
