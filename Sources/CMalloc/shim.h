// What Swift needs of the allocator of GNU's C library, which Foundation does not show.
#pragma once

#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
