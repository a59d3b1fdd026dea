// What stands behind a profile's URL, for the window: dialogs take an address apart and put it together again.
#pragma once

#include "core/store/store_address.h"
