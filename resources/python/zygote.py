# A warm Python: is started once, then forks a process for each job, a little before it is needed. Runs inside the
# containment, with the launcher's socket as descriptor 3; its arguments are the path of yardmaster-warm.so and that of
# the script, which is the same for each job. It begins with no more than an interpreter has anyway and imports what its
# jobs import, once: the less there is and the less a job touches of it, the cheaper is a fork.
import atexit, ctypes, gc, os, sys

own_file = (lambda: 0).__code__.co_filename
module_type = type(sys)


def show(kind, value, trace):
    # The script's own frames only; their line numbers are the script's.
    while trace is not None and trace.tb_frame.f_code.co_filename == own_file:
        trace = trace.tb_next
    if kind is SyntaxError or trace is not None:
        value = value.with_traceback(trace)
    sys.excepthook(kind, value, trace)


def exit_code(stop):
    if stop.code is None:
        return 0
    if isinstance(stop.code, int):
        return stop.code & 0xff
    print(stop.code, file=sys.stderr)
    return 1


def finish(module):
    # As an interpreter ends: threads, atexit, open files, then the streams.
    threading = sys.modules.get('threading')
    if threading is not None:
        threading._shutdown()
    atexit._run_exitfuncs()
    module.__dict__.clear()
    gc.collect()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError, AttributeError):
            pass


def main_module(path):
    module = module_type('__main__')
    module.__file__ = path
    module.__builtins__ = __builtins__
    sys.modules['__main__'] = module
    sys.argv[:] = [path]
    sys.path[0] = os.path.dirname(path)
    return module


def run(module, path, text):
    code = 0
    try:
        exec(compile(text, path, 'exec', dont_inherit=True), module.__dict__)
    except SystemExit as stop:
        code = exit_code(stop)
    except KeyboardInterrupt:
        import signal
        show(*sys.exc_info())
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGINT)
    except BaseException:
        show(*sys.exc_info())
        code = 1
    try:
        finish(module)
    except SystemExit as stop:
        code = exit_code(stop)
    except BaseException:
        show(*sys.exc_info())
    os._exit(code)


def learn(names):
    for name in names.decode().split(','):
        try:
            __import__(name)
        except BaseException:
            pass # the job will see for itself


def rehearse(path):
    exec(compile(b'value = str(1)', path, 'exec', dont_inherit=True), {})


def serve(library_path, path):
    library = ctypes.PyDLL(library_path)
    ctypes.PyDLL(None).prctl(4, 0, 0, 0, 0) # PR_SET_DUMPABLE: no job may look into this process
    library.yardmaster_functions.argtypes = [ctypes.py_object]
    library.yardmaster_functions.restype = ctypes.py_object
    next_process, take_job = library.yardmaster_functions(os.environ._data)
    module = main_module(path)
    for _ in range(20): # what Python makes at the first use, a fork has then for nothing
        rehearse(path)
    while True:
        gc.collect()
        gc.freeze()
        names = next_process()
        if not names:
            rehearse(path) # copies the pages that every job changes, while nobody waits for it
            run(module, path, take_job())
        learn(names)


serve(*sys.argv[1:])
